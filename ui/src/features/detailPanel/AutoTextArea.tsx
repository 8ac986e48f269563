import { useImperativeHandle, useLayoutEffect, useRef, type ComponentProps, type FC, type Ref } from "react";

type Props = Omit<ComponentProps<"textarea">, "onChange" | "ref"> & { value: string; onText: (text: string) => void; ref?: Ref<HTMLTextAreaElement> };

/** As tall as its text, up to where the panel would be nothing else. */
export const AutoTextArea: FC<Props> = ({ value, onText, ref, ...rest }) => {
  const area = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => area.current!);
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(360, element.scrollHeight + 2)}px`;
  }, [value]);
  return <textarea ref={area} dir="auto" rows={2} spellCheck value={value} onChange={(event) => onText(event.target.value)} {...rest} />;
};
