import type { McpClient } from "../generated/wire";
import type { Reply, Request } from "../host";
import { IpcError } from "../ipcError";
import { fakeDiff } from "./fakeDiff";

const NAME = "graph-mem";
const TOOLS = 28;

/** What the host knows of clients, in its order: the likeliest first. */
const KNOWN: readonly Omit<McpClient, "is_installed">[] = [
  { id: "claude-code", name: "Claude Code", file: "~/.claude.json", can_http: true, can_install: true, remark: "a server of a project must be approved there once", source: "https://code.claude.com/docs/en/mcp" },
  { id: "claude-desktop", name: "Claude Desktop", file: "~/.config/Claude/claude_desktop_config.json", can_http: false, can_install: false, remark: "restart it afterwards; its file knows only servers that it starts itself", source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers" },
  { id: "codex", name: "Codex CLI", file: "~/.codex/config.toml", can_http: true, can_install: true, remark: "a project's file counts only in projects that are trusted", source: "https://developers.openai.com/codex/mcp" },
  { id: "cursor", name: "Cursor", file: "~/.cursor/mcp.json", can_http: true, can_install: true, remark: "", source: "https://cursor.com/docs/mcp" },
  { id: "windsurf", name: "Windsurf", file: "~/.codeium/windsurf/mcp_config.json", can_http: true, can_install: true, remark: "this is the file of Cascade; other agents of the editor have one of their own", source: "https://docs.windsurf.com/windsurf/cascade/mcp" },
  { id: "vscode", name: "VS Code with Copilot", file: "~/.config/Code/User/mcp.json", can_http: true, can_install: true, remark: "the user's file is that of the default profile", source: "https://code.visualstudio.com/docs/agents/reference/mcp-configuration" },
  { id: "gemini", name: "Gemini CLI", file: "~/.gemini/settings.json", can_http: true, can_install: true, remark: "", source: "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md" },
  { id: "zed", name: "Zed", file: "~/.config/zed/settings.json", can_http: true, can_install: true, remark: "", source: "https://zed.dev/docs/ai/mcp" },
  { id: "roo", name: "Roo Code", can_http: true, can_install: true, remark: "its user file has no documented place; the project's has", source: "https://docs.roocode.com/features/mcp/using-mcp-in-roo" },
  { id: "amp", name: "Amp", file: "~/.config/amp/settings.json", can_http: true, can_install: true, remark: "a server of a project must be let in with `amp mcp approve graph-mem`", source: "https://ampcode.com/manual" },
];

/** What stood in a file before the first change, and what was written. */
type Note = { before: string | undefined; after: string };

/** Other programs on a pretended machine, with their files. */
export class FakeClients {
  readonly installed = new Set(["claude-code", "codex", "cursor"]);
  readonly files = new Map<string, string>([
    ["~/.claude.json", '{\n  "numStartups": 48,\n  "theme": "dark",\n  "mcpServers": {\n    "linear": {\n      "type": "http",\n      "url": "https://mcp.linear.app/mcp"\n    }\n  },\n  "tipsHistory": {}\n}\n'],
    ["~/.codex/config.toml", 'model = "gpt-5-codex"\n\n[mcp_servers.docs]\ncommand = "docs-mcp"\nargs = ["--offline"]\n'],
  ]);
  /** Why the next trial fails, if it is to. */
  problem: string | undefined;
  private readonly notes = new Map<string, Note>();
  private tokens = 0;

  list(): Reply<"list_clients"> {
    return { clients: KNOWN.map((client) => ({ ...client, is_installed: this.installed.has(client.id) })) };
  }

  plan({ client, over_http: overHttp }: Request<"plan_client">, url: string | undefined): Reply<"plan_client"> {
    const file = fileOf(client);
    const before = this.files.get(file);
    const after = written(file, before, entryOf(client, overHttp ? addressOf(url) : undefined, "gmt_0"));
    return { file, is_needed: before !== after, diff: fakeDiff(`/home/ada${file.slice(1)}`, masked(before), masked(after)!), based_on: before ?? "" };
  }

  attach({ client, over_http: overHttp }: Request<"attach_client">, url: string | undefined): Reply<"attach_client"> {
    const file = fileOf(client);
    const before = this.files.get(file);
    const after = written(file, before, entryOf(client, overHttp ? addressOf(url) : undefined, `gmt_${(++this.tokens).toString(16).padStart(8, "0")}`));
    let backup: string | undefined;
    if (before !== after) {
      const known = this.notes.get(client);
      // What stood there before the first change is what undo brings back.
      const first = known !== undefined && known.after === before ? known.before : before;
      this.notes.set(client, { before: first, after });
      this.files.set(file, after);
      if (first !== undefined) backup = `~/.graphmem/clients/${client}-user-server-1760000000-0.backup`;
    }
    const { problem } = this;
    return { file, backup, tools: problem === undefined ? TOOLS : 0, problem };
  }

  detach(client: string): Reply<"detach_client"> {
    const file = fileOf(client);
    const now = this.files.get(file);
    const note = this.notes.get(client);
    if (now?.includes(NAME) !== true) throw new IpcError("not_found", "nothing of this program was found there");
    this.notes.delete(client);
    if (note?.after === now) {
      if (note.before === undefined) {
        this.files.delete(file);
        return { file, status: "deleted" };
      }
      this.files.set(file, note.before);
      return { file, status: "restored" };
    }
    this.files.set(file, written(file, now, undefined));
    return { file, status: "taken_out" };
  }

  teach({ client, domain }: Request<"teach_client">): Reply<"teach_client"> {
    if (!find(client).can_install) throw new IpcError("not_found", "this client documents no place for instructions");
    const file = `~/.${client}/skills/graph-mem/SKILL.md`;
    this.files.set(file, `# Memory: graph-mem\n\n${domain}\n`);
    return { file };
  }
}

function find(id: string): Omit<McpClient, "is_installed"> {
  const client = KNOWN.find((each) => each.id === id);
  if (client === undefined) throw new IpcError("not_found", "there is no such client");
  return client;
}

function fileOf(id: string): string {
  const { name, file } = find(id);
  if (file === undefined) throw new IpcError("not_found", `${name} documents no file for this; put the configuration where it asks for it`);
  return file;
}

function addressOf(url: string | undefined): string {
  if (url === undefined) throw new IpcError("no_listener", "nothing listens for agents");
  return url;
}

function entryOf(id: string, url: string | undefined, token: string): object {
  return url === undefined ? { command: "/usr/bin/graph-mem", args: ["server", "--as", id] } : { url, headers: { Authorization: `Bearer ${token}` } };
}

/** A file with this entry of ours; without it, the file with ours taken out. */
function written(file: string, before: string | undefined, entry: object | undefined): string {
  if (file.endsWith(".toml")) {
    const rest = (before ?? "").replace(/\n?\[mcp_servers\.graph-mem\]\n(?:.+\n)*/, "");
    return entry === undefined ? rest : `${rest}\n[mcp_servers.${NAME}]\n${Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join("")}`;
  }
  let root: { mcpServers?: Record<string, unknown> };
  try {
    root = JSON.parse(before ?? "{}") as typeof root;
  } catch {
    throw new IpcError("invalid_file", `\`/home/ada${file.slice(1)}\` is left as it is: it is no valid JSON`);
  }
  const servers = { ...root.mcpServers };
  if (entry === undefined) delete servers[NAME];
  else servers[NAME] = entry;
  return `${JSON.stringify({ ...root, mcpServers: servers }, null, 2)}\n`;
}

function masked(text: string | undefined): string | undefined {
  return text?.replace(/gmt_[0-9a-f]+/g, "gmt_…");
}
