import { foldedForms } from '../../values/text.ts'

/** Characters whose cases are looked up together, once for all patterns. */
const blockLength = 256

/** No character from here on is a letter with cases. */
const casedEnd = 0x1f000

/** The small letter, its ordinary form, and the capital letter. */
const formCount = 3

const blocks: (Uint32Array | undefined)[] = []

/** Whether the test holds for the character, as it is or as a small or a capital letter. */
export function holdsForSomeCase(
  character: number,
  holds: (character: number) => boolean,
): boolean {
  if (holds(character)) return true
  if (character >= casedEnd) return false
  const index = Math.floor(character / blockLength)
  const block = blocks[index] ?? makeBlock(index)
  const at = (character % blockLength) * formCount
  return (
    holds(block[at] ?? character) ||
    holds(block[at + 1] ?? character) ||
    holds(block[at + 2] ?? character)
  )
}

function makeBlock(index: number): Uint32Array {
  const block = new Uint32Array(blockLength * formCount)
  for (let place = 0; place < blockLength; place++) {
    const character = index * blockLength + place
    const text = String.fromCodePoint(character)
    const small = singleOr(text.toLowerCase(), character)
    block.set(
      [small, ordinary.get(small) ?? small, singleOr(text.toUpperCase(), character)],
      place * formCount,
    )
  }
  blocks[index] = block
  return block
}

/** The character that a text is; another where the text is longer, as "SS" is for "ß". */
function singleOr(text: string, other: number): number {
  const character = text.codePointAt(0) ?? other
  return text.length === String.fromCodePoint(character).length ? character : other
}

/** Other forms of small letters, such as the sigma at the end of a word, and the ordinary ones. */
const ordinary: ReadonlyMap<number, number> = new Map(
  Array.from(foldedForms.from, (form, index) => [
    form.charCodeAt(0),
    foldedForms.to.charCodeAt(index),
  ]),
)

/** Each form beside its ordinary one. */
export const otherForms: Iterable<readonly [form: number, ordinary: number]> = ordinary
