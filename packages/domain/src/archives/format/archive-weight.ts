import { limits } from '../../limits.ts'

/**
 * Bytes of memory that a line takes, roughly, with what is read of it: short values take many times their text. Answers with
 * what is wrong where that is too much, and where lists and objects lie in one another too deep. Looks no further then.
 */
export function weighLine(json: string): number | string {
  const room = limits.archiveLineWeight
  // The text, and the texts in it.
  let weight = 2 * json.length + limits.jsonValueBytes
  let depth = 0
  for (let index = 0; index < json.length && weight <= room; index++) {
    const code = json.charCodeAt(index)
    if (code === 0x22) index = endOfText(json, index)
    else if (code === 0x2c) weight += limits.jsonValueBytes
    else if (code === 0x5b || code === 0x7b) {
      weight += limits.jsonContainerBytes
      depth++
      if (depth > limits.archiveLineDepth) {
        return `must have ${limits.archiveLineDepth} levels at most`
      }
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return weight > room ? `must take ${room} bytes of memory at most` : weight
}

/** The place of the quote that ends the text which begins at the place. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json.charCodeAt(end - escapes - 1) === 0x5c) escapes++
    if (escapes % 2 === 0) return end
  }
  return json.length
}
