// @ts-check
// Server-sent events of a fetch: EventSource cannot POST.

const SILENCE_MS = 50000; // the server says something every 20 seconds

/** Each message of the response's stream; `end` is called when it has been silent for too long.
 * @param {Response} response @param {() => void} [end] */
export async function* messages(response, end = () => {}) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let silence = 0;
  try {
    for (;;) {
      silence = window.setTimeout(end, SILENCE_MS);
      const { done, value } = await reader.read();
      window.clearTimeout(silence);
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() || "";
      for (const block of blocks) {
        const found = read(block);
        if (found) yield found;
      }
    }
  } finally {
    window.clearTimeout(silence);
    reader.cancel().catch(() => {});
  }
}

/** @param {string} block */
function read(block) {
  let name = "", data = "", id = 0;
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
    else if (line.startsWith("id: ")) id = Number(line.slice(4));
  }
  return name && data ? { name, id, data: JSON.parse(data) } : null;
}
