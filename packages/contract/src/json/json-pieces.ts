import type { JsonList, JsonScan, JsonSize } from './json-scan.ts'

/** Strings of the outermost object among which repeated names are looked for: many more than inputs have members. */
export const stringsMost = 100

/** How a text is parsed in pieces that together say what the whole does. */
export interface JsonPieces {
  /** The text without what is in the lists. */
  readonly frame: string
  /** The largest that is parsed in one go: the frame, or an item of a list. */
  readonly mostAtOnce: JsonSize
  /** The lists that are empty in the frame, each with the places of its items in the text, piece by piece. */
  readonly lists: readonly {
    readonly name: string
    readonly spans: readonly (readonly [start: number, end: number])[]
  }[]
}

/**
 * How to parse the text in pieces; undefined where that isn't worth while, or it is in doubt whether it would
 * give the same. If the frame and all pieces are JSON, and no piece is empty, the text is.
 */
export function planPieces(text: string, scan: JsonScan): JsonPieces | undefined {
  const { lists, strings } = scan
  const long = lists.filter(({ cuts }) => cuts.length > 0)
  if (strings.length > stringsMost) return undefined
  if (long.length === 0 || long.some(({ end }) => end === 0) || text[firstOf(text)] !== '{') {
    return undefined
  }
  const names: string[] = []
  for (const list of long) {
    const name = plainNameOf(text, list)
    if (name === undefined || isRepeated(text, strings, list)) return undefined
    names.push(name)
  }
  let frame = ''
  let from = 0
  for (const { start, end } of long) {
    frame += text.slice(from, start)
    from = end
  }
  frame += text.slice(from)
  return {
    frame,
    mostAtOnce: mostAtOnce(scan.values, frame, long),
    lists: long.map((list, at) => ({ name: names[at] ?? '', spans: spansOf(list) })),
  }
}

function mostAtOnce(values: number, frame: string, lists: readonly JsonList[]): JsonSize {
  const most = { values, length: frame.length }
  for (const list of lists) most.values -= list.values
  for (const { mostOfItem } of lists) {
    most.values = Math.max(most.values, mostOfItem.values)
    most.length = Math.max(most.length, mostOfItem.length)
  }
  return most
}

function firstOf(text: string): number {
  let index = 0
  while (' \n\r\t'.includes(text[index] ?? 'x')) index++
  return index
}

/** The name of a list, where it is written without escapes and nothing but a colon stands between. */
function plainNameOf(text: string, { start, name: [open, close] }: JsonList): string | undefined {
  if (close - open > 100 || start - close > 100) return undefined
  const name = text.slice(open + 1, close)
  const between = text.slice(close + 1, start - 1)
  return /^[\w ]*$/.test(name) && /^[ \n\r\t]*:[ \n\r\t]*$/.test(between) ? name : undefined
}

/** Whether another string of the object, which may be a name, is the same, or could be as it has escapes. */
function isRepeated(
  text: string,
  strings: JsonScan['strings'],
  { name: [open, close] }: JsonList,
): boolean {
  const name = text.slice(open, close + 1)
  return strings.some(([start, end]) => {
    const length = end + 1 - start
    // An escape writes one character with six at most.
    if (start === open || length < name.length || length > 6 * name.length) return false
    return length === name.length
      ? text.startsWith(name, start)
      : text.slice(start, end).includes('\\u')
  })
}

function spansOf({ start, end, cuts }: JsonList): (readonly [number, number])[] {
  const ends = [...cuts, end]
  return ends.map((until, at) => [at === 0 ? start : (ends[at - 1] ?? 0) + 1, until] as const)
}
