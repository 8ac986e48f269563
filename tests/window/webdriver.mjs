// A WebDriver client of a few verbs, and the two programs under test: the real window through
// tauri-driver, and the explorer in Chromium through chromedriver.

import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PATIENCE_MS = 30_000;

export const programs = {
  window: process.env.GRAPHMEM_TEST_WINDOW,
  cli: process.env.GRAPHMEM_TEST_CLI,
  driver: process.env.GRAPHMEM_TEST_DRIVER ?? "tauri-driver",
};

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Asks until the answer is truthy. */
export async function until(what, ask, patience = PATIENCE_MS) {
  const end = Date.now() + patience;
  let last;
  for (;;) {
    try {
      last = await ask();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`waited in vain: ${what} (last: ${last})`);
    await sleep(25);
  }
}

/** A home library of its own in a temporary folder. */
export class Home {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "graph-mem-window-"));
    this.library = join(this.folder, "library");
    mkdirSync(this.library);
    this.env = {
      ...process.env,
      HOME: this.folder,
      XDG_DATA_HOME: join(this.folder, "data"),
      XDG_CONFIG_HOME: join(this.folder, "config"),
      XDG_CACHE_HOME: join(this.folder, "cache"),
      GRAPHMEM_HOME: this.library,
      GRAPHMEM_PROBE: "1",
    };
  }

  file(name, content) {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** Runs the command line to its end; rejects when it fails. */
  cli(...args) {
    return new Promise((done, failed) => {
      const child = spawn(programs.cli, args, { env: this.env, cwd: this.folder });
      let [out, err] = ["", ""];
      child.stdout.on("data", (data) => (out += data));
      child.stderr.on("data", (data) => (err += data));
      child.on("close", (code) => (code === 0 ? done(out) : failed(new Error(`graph-mem ${args.join(" ")}: ${err}`))));
    });
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function freePort() {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export class Browser {
  constructor(base, session, children) {
    this.base = `${base}/session/${session}`;
    this.children = children;
  }

  /** Opens the real window on a home. */
  static async window(home, args = []) {
    const [port, native] = [await freePort(), await freePort()];
    const driver = spawn(programs.driver, ["--port", port, "--native-port", native], { env: home.env, stdio: "ignore", detached: true });
    const capabilities = { alwaysMatch: { browserName: "wry", "tauri:options": { application: programs.window, args } } };
    return Browser.begin(`http://127.0.0.1:${port}`, capabilities, [driver]);
  }

  /** Opens Chromium without a screen. */
  static async chromium(home) {
    const port = await freePort();
    const driver = spawn("chromedriver", [`--port=${port}`], { env: home.env, stdio: "ignore", detached: true });
    const args = [
      "--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader", "--window-size=1400,900", `--user-data-dir=${join(home.folder, "chromium")}`,
    ];
    const capabilities = { alwaysMatch: { browserName: "chrome", "goog:chromeOptions": { args } } };
    return Browser.begin(`http://127.0.0.1:${port}`, capabilities, [driver]);
  }

  static async begin(base, capabilities, children) {
    try {
      const { sessionId } = await until("a driver session", () => send(`${base}/session`, "POST", { capabilities }), 60_000);
      return new Browser(base, sessionId, children);
    } catch (error) {
      children.forEach(end);
      throw error;
    }
  }

  post(path, body = {}) {
    return send(`${this.base}/${path}`, "POST", body);
  }

  get(path) {
    return send(`${this.base}/${path}`, "GET");
  }

  go(url) {
    return this.post("url", { url });
  }

  /** Runs a script in the page and returns what it returns. */
  run(script, ...args) {
    return this.post("execute/sync", { script, args });
  }

  /** Calls one function of the probe. */
  probe(name, ...args) {
    return this.run(`return window.__graphmem?.[arguments[0]]?.(...arguments[1])`, name, args);
  }

  async find(css) {
    const found = await until(`element ${css}`, () => this.post("element", { using: "css selector", value: css }));
    return found[ELEMENT];
  }

  /** The element whose own text or label is this. */
  async findText(text) {
    const xpath = `//*[normalize-space(text())="${text}" or @aria-label="${text}"]`;
    const found = await until(`text ${text}`, () => this.post("element", { using: "xpath", value: xpath }));
    return found[ELEMENT];
  }

  click(element) {
    return this.post(`element/${element}/click`);
  }

  async clickText(text) {
    await this.click(await this.findText(text));
  }

  type(element, text) {
    return this.post(`element/${element}/value`, { text });
  }

  text(css) {
    return this.run("return document.querySelector(arguments[0])?.innerText ?? ''", css);
  }

  /** Pointer and key input: a list of W3C actions. */
  async pointer(...moves) {
    await this.post("actions", {
      actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: moves }],
    });
    await send(`${this.base}/actions`, "DELETE");
  }

  async keys(...strokes) {
    const actions = strokes.flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    await this.post("actions", { actions: [{ type: "key", id: "keyboard", actions }] });
    await send(`${this.base}/actions`, "DELETE");
  }

  async screenshot(path) {
    writeFileSync(path, Buffer.from(await this.get("screenshot"), "base64"));
  }

  async close() {
    // A window that was killed cannot say goodbye; its driver would wait for it.
    await send(this.base, "DELETE", undefined, 3_000).catch(() => {});
    this.children.forEach(end);
    await sleep(300);
  }
}

export const at = (x, y, duration = 0) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration, origin: "viewport" });
export const down = { type: "pointerDown", button: 0 };
export const up = { type: "pointerUp", button: 0 };
export const pause = (duration) => ({ type: "pause", duration });

/** Ends a driver with all it started: each is the leader of a process group of its own. */
function end(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

async function send(url, method, body, patience = 60_000) {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(patience),
    headers: { "content-type": "application/json" },
    body: method === "POST" ? JSON.stringify(body) : undefined,
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value?.error}: ${String(value?.message).split("\n")[0]}`);
  return value;
}
