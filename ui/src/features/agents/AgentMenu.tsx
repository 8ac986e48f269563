import { useCallback, useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { IconButton } from "../../components/Button";
import { Menu } from "../../components/Menu";
import { visibleText } from "../../graph/text/visibleText";
import { t } from "../../strings";

type Props = { agent: string; onRights: () => void; onRevoke: () => void };

/** What is done seldom, and only with an agent that has a token. */
export const AgentMenu: FC<Props> = ({ agent, onRights, onRevoke }) => {
  const { stores } = useApp();
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const close = useCallback(() => setAt(null), []);
  const label = t.agents.more(visibleText(agent));
  return (
    <>
      <IconButton
        icon="more"
        label={label}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setAt({ x: box.right, y: box.bottom + 4 });
        }}
      />
      {at !== null && (
        <Menu
          x={at.x}
          y={at.y}
          alignRight
          label={label}
          onClose={close}
          items={[
            { label: t.agents.rights, run: onRights },
            { label: t.agents.newToken, run: () => stores.dialog.set(() => ({ kind: "connect", name: agent })) },
            { kind: "separator" },
            { label: t.agents.revoke, danger: true, run: onRevoke },
          ]}
        />
      )}
    </>
  );
};
