/** Levels of a value whose lists are taken apart: those of a page of records within an answer. */
const levelsApart = 3

/** Levels of a value whose lists are taken apart down to the cells of a few records, each of which is long. */
export const levelsOfLongRecords = 5

/** Levels of a long item of a list that are taken apart: a record and its cells. */
const levelsOfLongItem = 2

/**
 * Items of a list that make one piece, unless they are long: each by itself would take half as long again.
 * Nobody can interrupt the making of a piece.
 */
export const itemsAtOnce = 8

/**
 * The JSON text of a value in pieces, a few items of a list each: put together, they are what JSON.stringify
 * makes of it. A list of many records need not be one text, nor be written in one turn. Items that are told to be
 * long are taken apart themselves.
 */
export function* jsonPieces(
  value: unknown,
  levels = levelsApart,
  isLong: IsLong = () => false,
): Generator<string> {
  if (Array.isArray(value) && levels > 0) yield* listPieces(value, levels, isLong)
  else if (isPlain(value) && levels > 0) yield* memberPieces(value, levels, isLong)
  else yield JSON.stringify(value) ?? 'null'
}

/** Tells which items of a list are long, without going through them. */
type IsLong = (item: unknown) => boolean

function* listPieces(items: readonly unknown[], levels: number, isLong: IsLong): Generator<string> {
  yield '['
  for (let start = 0; start < items.length; ) {
    const separator = start === 0 ? '' : ','
    const first = items[start]
    if (Array.isArray(first) || (items.length <= itemsAtOnce && levels > levelsApart)) {
      yield separator
      yield* jsonPieces(first, levels - 1, isLong)
      start++
      continue
    }
    if (isLong(first)) {
      yield separator
      yield* jsonPieces(first, levelsOfLongItem)
      start++
      continue
    }
    let end = start + 1
    while (end < items.length && end < start + itemsAtOnce && !isApart(items[end], isLong)) end++
    // By itself: to put it before the text would copy all of that.
    yield separator
    yield JSON.stringify(items.slice(start, end)).slice(1, -1)
    start = end
  }
  yield ']'
}

function isApart(item: unknown, isLong: IsLong): boolean {
  return Array.isArray(item) || isLong(item)
}

function* memberPieces(value: object, levels: number, isLong: IsLong): Generator<string> {
  let separator = ''
  yield '{'
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${separator}${JSON.stringify(key)}:`
    yield* jsonPieces(member, levels - 1, isLong)
    separator = ','
  }
  yield '}'
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}
