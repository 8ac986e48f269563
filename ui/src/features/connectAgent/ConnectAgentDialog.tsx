import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Dialog } from "../../components/Dialog";
import { ByHandStep } from "./ByHandStep";
import { ClientsStep } from "./ClientsStep";
import { ClientStep } from "./ClientStep";
import { ConnectedStep } from "./ConnectedStep";
import { NoPlaceStep } from "./NoPlaceStep";
import { titleOf, type Step } from "./steps";
import { UndoneStep } from "./UndoneStep";

type Props = { name?: string; onClose: () => void };

/** From a program of this machine to an agent that was tried. Programs are the window's business: a browser, and who asks for a token, gets the form. */
export const ConnectAgentDialog: FC<Props> = ({ name, onClose }) => {
  const inWindow = useApp().host.kind === "window";
  const [step, setStep] = useState<Step>(inWindow && name === undefined ? { at: "clients" } : { at: "by_hand", name: name ?? "" });
  return (
    <Dialog title={titleOf(step)} width={680} paged onClose={onClose}>
      <Page step={step} onStep={setStep} onClose={onClose} canGoBack={inWindow && name === undefined} />
    </Dialog>
  );
};

type PageProps = { step: Step; onStep: (step: Step) => void; onClose: () => void; canGoBack: boolean };

const Page: FC<PageProps> = ({ step, onStep, onClose, canGoBack }) => {
  const back = (from?: string) => onStep({ at: "clients", from });
  switch (step.at) {
    case "clients": return <ClientsStep from={step.from} onStep={onStep} onClose={onClose} />;
    case "by_hand": return <ByHandStep name={step.name} onBack={canGoBack ? () => back(step.from) : undefined} onClose={onClose} />;
    case "client": {
      const Way = step.client.file === undefined ? NoPlaceStep : ClientStep;
      return <Way client={step.client} onStep={onStep} onBack={() => back(step.client.id)} />;
    }
    case "connected": return <ConnectedStep client={step.client} connected={step.connected} onStep={onStep} onClose={onClose} />;
    case "undone": return <UndoneStep client={step.client} detached={step.detached} left={step.left} onBack={() => back(step.client.id)} onClose={onClose} />;
  }
};
