/** Levels of a value whose lists are taken apart: those of a page of records within an answer. */
const levelsApart = 3

/**
 * The JSON text of a value in pieces, an item of a list each: put together, they are what JSON.stringify
 * makes of it. A list of many records need not be one text, nor be written in one turn.
 */
export function* jsonPieces(value: unknown, levels = levelsApart): Generator<string> {
  if (Array.isArray(value) && levels > 0) yield* listPieces(value, levels)
  else if (isPlain(value) && levels > 0) yield* memberPieces(value, levels)
  else yield JSON.stringify(value) ?? 'null'
}

function* listPieces(items: readonly unknown[], levels: number): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ','
    // An item is a piece, whatever is in it.
    yield* jsonPieces(item, Array.isArray(item) ? levels - 1 : 0)
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
