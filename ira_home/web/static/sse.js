// @ts-check
// Server-sent events of a fetch: EventSource cannot POST.

/** Each message of the response's stream. @param {Response} response */
export async function* messages(response) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    let end = rest.indexOf("\n\n");
    while (end !== -1) {
      const found = read(rest.slice(0, end));
      if (found) yield found;
      rest = rest.slice(end + 2);
      end = rest.indexOf("\n\n");
    }
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
