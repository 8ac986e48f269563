// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { AppContext } from "../../app/AppContext";
import { createApp } from "../../app/createApp";
import { FakeHost } from "../../ipc/fake/fakeHost";
import { IpcError } from "../../ipc/ipcError";
import { t } from "../../strings";
import { Models } from "./Models";

afterEach(cleanup);

async function shown(host: FakeHost) {
  host.addGraph("notes");
  const app = createApp(host);
  await app.session.start();
  render(<QueryClientProvider client={app.queries}><AppContext value={app}><Models onChange={() => undefined} /></AppContext></QueryClientProvider>);
  await screen.findByRole("region", { name: t.meaning.models });
  return app;
}

describe("the embedding models", () => {
  it("tells which is in use, and another is used with one click", async () => {
    await shown(new FakeHost());
    const row = () => screen.getByText("all-minilm-l6-v2-int8").closest("li")!;
    expect(within(row()).getByText(t.meaning.inUse)).toBeTruthy();
    // What came with the program stays.
    expect(screen.queryByRole("button", { name: t.meaning.removeModel("all-minilm-l6-v2-int8") })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: t.meaning.useModel("mine") }));
    await waitFor(() => expect(within(screen.getByText("mine").closest("li")!).getByText(t.meaning.inUse)).toBeTruthy());
  });

  it("says why a model cannot be used, and stays with the one that works", async () => {
    const host = new FakeHost();
    const app = await shown(host);
    host.before = (command) => {
      if (command === "use_model") throw new IpcError("model_missing", "`config.json` is damaged");
    };
    fireEvent.click(screen.getByRole("button", { name: t.meaning.useModel("mine") }));
    await waitFor(() => expect(JSON.stringify(app.stores.toasts.get())).toContain("damaged"));
    expect(host.model).toBe("all-minilm-l6-v2-int8");
  });

  it("gets another by name and tells how far that is", async () => {
    const host = new FakeHost();
    await shown(host);
    const get = screen.getByRole("button", { name: t.meaning.get });
    expect((get as HTMLButtonElement).disabled).toBe(true);
    fireEvent.change(screen.getByRole("combobox"), { target: { value: "bgesmallenv15" } });
    fireEvent.click(get);
    expect((await screen.findByRole("status")).textContent).toContain("model.onnx: 12 of 130 MB");
    host.modelJob = { model: "bgesmallenv15", told: "", is_done: true, problem: "the hub cannot be reached" };
    expect((await screen.findByRole("alert", undefined, { timeout: 4000 })).textContent).toContain("cannot be reached");
  });

  it("has nothing to install with in a browser", async () => {
    await shown(new FakeHost("browser"));
    expect(screen.queryByRole("button", { name: t.meaning.get })).toBeNull();
    expect(screen.getByText(t.meaning.inWindow)).toBeTruthy();
  });
});
