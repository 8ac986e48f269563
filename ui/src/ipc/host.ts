import type { Commands, Event } from "./generated/wire";

export type CommandName = keyof Commands;
export type Request<K extends CommandName> = Commands[K]["request"];
export type Reply<K extends CommandName> = Commands[K]["reply"];

export type ByteCommand = "layout_start" | "communities" | "arrange";

/** A file to import: the window knows its path, the browser only what is in it. */
export type ImportChoice = { path: string } | { name: string; content: string };

/** `lost`: events may be missing until `live` again. `expired`: only a fresh link helps. */
export type Connection = "live" | "lost" | "expired";

/** Labels as the menu shows them, such as `Undo add entity`; null greys the item out. */
export type MenuState = { undo: string | null; redo: string | null; hasGraph: boolean };

/** The program behind the explorer. The desktop window, the HTTP listener and the fake of the tests are one each. */
export type Host = {
  readonly kind: "window" | "browser";
  call<K extends CommandName>(command: K, request: Request<K>): Promise<Reply<K>>;
  /** Commands that take a picture as bytes and answer with bytes; see `layout/picture.ts`. */
  callBytes(command: ByteCommand, bytes: Uint8Array): Promise<ArrayBuffer>;
  onEvent(handler: (event: Event) => void): () => void;
  onConnection(handler: (connection: Connection) => void): () => void;
  pickImportFile(): Promise<ImportChoice | null>;
  /** Where the graph was written, as a person would say it; null when the person changed their mind. */
  saveExport(graph: string): Promise<string | null>;
  /** Asks where, draws and writes; what was written, as a person would say it. */
  savePicture(suggested: string, request: Request<"picture">): Promise<string | null>;
  pickFolder(): Promise<string | null>;
  setMenuState(state: MenuState): void;
  setTitle(title: string): void;
};
