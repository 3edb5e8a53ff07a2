// Not a parser of XML: of the four answers that are read, what counts stands between two tags of a name that nothing else
// has, and is made of letters that nobody writes otherwise. Sizes of answers are bounded before.

/** What stands between the tags of the name, each time that they are there. */
export function partsIn(xml: string, tag: string): readonly string[] {
  const parts: string[] = []
  const [open, close] = [`<${tag}>`, `</${tag}>`]
  for (let start = xml.indexOf(open); start !== -1; start = xml.indexOf(open, start)) {
    const end = xml.indexOf(close, start)
    if (end === -1) break
    parts.push(xml.slice(start + open.length, end))
    start = end
  }
  return parts
}

/** The text between the first tags of the name; undefined where there are none. */
export function textIn(xml: string, tag: string): string | undefined {
  return partsIn(xml, tag)[0]
}
