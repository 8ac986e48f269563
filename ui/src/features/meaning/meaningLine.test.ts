import { describe, expect, it } from "vitest";
import type { MeaningStatus } from "../../ipc/generated/wire";
import { meaningLine } from "./meaningLine";

const well: MeaningStatus = { state: "idle", model: "m", is_paused: false, texts: 200, pending: 0, failed: 0 };

describe("the state of search by meaning", () => {
  it("is well when every text has its vector", () => {
    expect(meaningLine(well)).toMatchObject({ warns: false });
    expect(meaningLine(well).share).toBeUndefined();
    expect(meaningLine({ ...well, texts: 0 }).share).toBeUndefined();
  });

  it("tells how far it is while some are missing, paused or not", () => {
    expect(meaningLine({ ...well, pending: 50 })).toMatchObject({ share: 0.75, warns: false });
    expect(meaningLine({ ...well, pending: 50 }).text).toContain("75");
    expect(meaningLine({ ...well, pending: 50, is_paused: true }).share).toBe(0.75);
    // More may be wanted than counted, for a moment.
    expect(meaningLine({ ...well, pending: 500 }).share).toBe(0);
  });

  it("warns of what keeps it from working", () => {
    expect(meaningLine({ ...well, state: "missing", pending: 5 })).toMatchObject({ warns: true });
    expect(meaningLine({ ...well, other_model: "n", pending: 5 })).toMatchObject({ warns: true });
    expect(meaningLine({ ...well, state: "off" })).toMatchObject({ warns: false });
  });
});
