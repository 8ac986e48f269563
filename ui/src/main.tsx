import { createRoot } from "react-dom/client";
import { mount } from "./app/mount";
import { ExpiredPage } from "./features/firstRun/ExpiredPage";
import { connectHost } from "./ipc/connect";
import "./styles/tokens.css";
import "./styles/base.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

connectHost().then(
  (host) => mount(root, host),
  () => {
    document.documentElement.dataset.theme = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    createRoot(root).render(<ExpiredPage />);
  },
);
