"""Real documents, made in the test."""

from io import BytesIO
from pathlib import Path
import zipfile

from docx import Document
from pypdf import PdfReader, PdfWriter
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas


def pdf(*pages: str) -> bytes:
    """A PDF with one line of text a page; an empty one gets only a drawing."""
    target = BytesIO()
    canvas = Canvas(target, pagesize=A4)
    for text in pages:
        if text:
            canvas.drawString(72, 720, text)
        else:
            canvas.rect(72, 600, 200, 100, fill=1)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def locked_pdf(content: bytes, *, user: str, owner: str) -> bytes:
    """The PDF encrypted with AES-256; with an empty `user` password anybody may open it."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    writer.encrypt(user, owner, algorithm="AES-256")
    target = BytesIO()
    writer.write(target)
    return target.getvalue()


def docx(*paragraphs: str, rows: tuple[tuple[str, ...], ...] = ()) -> bytes:
    """A Word document with paragraphs and, behind the first, a table."""
    document = Document()
    for number, text in enumerate(paragraphs):
        document.add_paragraph(text)
        if number == 0 and rows:
            table = document.add_table(rows=len(rows), cols=len(rows[0]))
            for row, cells in zip(table.rows, rows, strict=True):
                for cell, value in zip(row.cells, cells, strict=True):
                    cell.text = value
    target = BytesIO()
    document.save(target)
    return target.getvalue()


def bomb(path: Path, unpacked_bytes: int) -> None:
    """A .docx whose one part unpacks to very much."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        block = b" " * 1_000_000
        for _ in range(unpacked_bytes // len(block)):
            part.write(block)
