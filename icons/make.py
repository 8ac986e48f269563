"""Makes the icon sizes the window and the bundles want from icon.svg (needs librsvg's rsvg-convert)."""
import pathlib, struct, subprocess

here = pathlib.Path(__file__).parent


def png(size: int) -> bytes:
    command = ["rsvg-convert", "-w", str(size), "-h", str(size), str(here / "icon.svg")]
    return subprocess.run(command, check=True, capture_output=True).stdout


def container(sizes: list[int]) -> bytes:
    """An .ico file: a directory of PNG images."""
    images = [png(size) for size in sizes]
    head = struct.pack("<HHH", 0, 1, len(images))
    offset = len(head) + 16 * len(images)
    for size, image in zip(sizes, images):
        edge = 0 if size == 256 else size
        head += struct.pack("<BBBBHHII", edge, edge, 0, 0, 1, 32, len(image), offset)
        offset += len(image)
    return head + b"".join(images)


def icns(kinds: dict[str, int]) -> bytes:
    """An .icns file: named PNG chunks."""
    chunks = b""
    for kind, size in kinds.items():
        image = png(size)
        chunks += kind.encode() + struct.pack(">I", len(image) + 8) + image
    return b"icns" + struct.pack(">I", len(chunks) + 8) + chunks


for name, size in {"32x32.png": 32, "64x64.png": 64, "128x128.png": 128, "128x128@2x.png": 256, "icon.png": 512}.items():
    (here / name).write_bytes(png(size))
(here / "icon.ico").write_bytes(container([16, 24, 32, 48, 64, 256]))
(here / "icon.icns").write_bytes(icns({"ic11": 32, "ic12": 64, "ic07": 128, "ic13": 256, "ic08": 256, "ic14": 512, "ic09": 512}))
