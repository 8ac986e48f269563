import type { FC } from "react";
import { useApp } from "../app/AppContext";
import { useStore } from "../state/createStore";
import { AboutDialog } from "./about/AboutDialog";
import { CommandPalette } from "./commandPalette/CommandPalette";
import { ConflictsDialog } from "./conflictsDialog/ConflictsDialog";
import { ConnectAgentDialog } from "./connectAgent/ConnectAgentDialog";
import { NewGraphDialog } from "./graphPicker/NewGraphDialog";
import { ImportDialog } from "./importDialog/ImportDialog";
import { MeaningDialog } from "./meaning/MeaningDialog";
import { NewEntityDialog } from "./newEntity/NewEntityDialog";
import { PictureDialog } from "./picture/PictureDialog";
import { ShortcutsDialog } from "./shortcuts/ShortcutsDialog";
import { TrashDialog } from "./trash/TrashDialog";

/** The one dialog that is open, if any. */
export const Dialogs: FC = () => {
  const { stores } = useApp();
  const dialog = useStore(stores.dialog, (state) => state);
  // Only this one: an answer that arrives late must not close another that was opened meanwhile.
  const close = () => stores.dialog.set((open) => (open === dialog ? null : open));
  switch (dialog?.kind) {
    case undefined: return null;
    case "palette": return <CommandPalette onClose={close} />;
    case "shortcuts": return <ShortcutsDialog onClose={close} />;
    case "about": return <AboutDialog onClose={close} />;
    case "meaning": return <MeaningDialog onClose={close} />;
    case "connect": return <ConnectAgentDialog name={dialog.name} onClose={close} />;
    case "picture": return <PictureDialog onClose={close} />;
    case "trash": return <TrashDialog onClose={close} />;
    case "new_graph": return <NewGraphDialog onClose={close} />;
    case "new_entity": return <NewEntityDialog at={dialog.at} onClose={close} />;
    case "import": return <ImportDialog key={dialog.name} choice={dialog.choice} name={dialog.name} onClose={close} />;
    case "conflicts": return <ConflictsDialog attempt={dialog.attempt} conflicts={dialog.conflicts} onClose={close} />;
  }
};
