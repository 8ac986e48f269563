// `@modelcontextprotocol/sdk` 1.x: the library of most clients in use.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { given, walk } from "./walk.mjs";

const transport = given.url
  ? new StreamableHTTPClientTransport(new URL(given.url), { requestInit: { headers: given.headers } })
  : new StdioClientTransport(given);

// This generation tells the negotiated version to its transport and to nobody else.
let protocol;
const tell = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (version) => {
  protocol = version;
  tell?.(version);
};

const client = new Client({ name: "sdk1", version: "1" });
await client.connect(transport);
try {
  await walk({
    server: client.getServerVersion(),
    protocol,
    tools: (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
  });
} finally {
  if (given.url) await transport.terminateSession();
  await client.close();
}
