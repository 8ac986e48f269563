import type { FC } from "react";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { sentence } from "./clientWords";
import { Facts } from "./Facts";

/** What its user should know, and where its vendor says how it is configured. */
export const ClientFacts: FC<{ client: McpClient }> = ({ client: { remark, source } }) => (
  <Facts
    rows={[
      ...(remark === "" ? [] : [{ name: t.clients.remark, value: sentence(remark) }]),
      { name: t.clients.source, value: source },
    ]}
  />
);
