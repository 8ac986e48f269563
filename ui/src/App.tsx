import type { FC } from "react";

export const App: FC = () => <main>graph-mem</main>;
