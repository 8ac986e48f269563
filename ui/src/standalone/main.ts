import { show, type PictureData } from "./picturePage";

const data = document.getElementById("graph")?.textContent;
if (data !== null && data !== undefined) show(document.body, JSON.parse(data) as PictureData);
