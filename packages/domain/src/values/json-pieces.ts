/** Levels of a value whose lists are taken apart: those of a page of records within an answer. */
const levelsApart = 3

/** The same down to the cells of a few records, each of which is long. */
export const levelsOfLongRecords = 5

/**
 * Items of a list that make one piece, whatever is in them: each by itself would take half as long again.
 * Nobody can interrupt the making of a piece.
 */
export const itemsAtOnce = 8

/**
 * The JSON text of a value in pieces, a few items of a list each: put together, they are what JSON.stringify
 * makes of it. A list of many records need not be one text, nor be written in one turn.
 */
export function* jsonPieces(value: unknown, levels = levelsApart): Generator<string> {
  if (Array.isArray(value) && levels > 0) yield* listPieces(value, levels)
  else if (isPlain(value) && levels > 0) yield* memberPieces(value, levels)
  else yield JSON.stringify(value) ?? 'null'
}

function* listPieces(items: readonly unknown[], levels: number): Generator<string> {
  yield '['
  for (let start = 0; start < items.length; ) {
    const separator = start === 0 ? '' : ','
    const first = items[start]
    if (Array.isArray(first) || (items.length <= itemsAtOnce && levels > levelsApart)) {
      yield separator
      yield* jsonPieces(first, levels - 1)
      start++
      continue
    }
    let end = start + 1
    while (end < items.length && end < start + itemsAtOnce && !Array.isArray(items[end])) end++
    yield separator + JSON.stringify(items.slice(start, end)).slice(1, -1)
    start = end
  }
  yield ']'
}

function* memberPieces(value: object, levels: number): Generator<string> {
  let separator = ''
  yield '{'
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${separator}${JSON.stringify(key)}:`
    yield* jsonPieces(member, levels - 1)
    separator = ','
  }
  yield '}'
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}
