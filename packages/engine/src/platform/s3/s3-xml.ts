// Not a parser of XML: of the four answers that are read, what counts stands between two tags of a name that nothing else
// has. Sizes of answers are bounded before.

/** Returns the text between each pair of tags with the name. */
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

/** Returns the unescaped text between the first pair of tags with the name; undefined where there is none. */
export function textIn(xml: string, tag: string): string | undefined {
  return partsIn(xml, tag)[0]?.replace(reference, toCharacter)
}

/** How XML writes characters that mean something to it: `&amp;`, `&#38;`, `&#x26;`. */
const reference = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function toCharacter(written: string, name?: string, decimal?: string, hex?: string): string {
  if (name !== undefined) return named[name] ?? written
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : written
}
