import { foldedForms } from '../../values/text.ts'

/** Characters whose cases are looked up together, once for all patterns. */
const blockLength = 256

/** No character from here on is a letter with cases. */
const casedEnd = 0x1f000

/** The small letter, its ordinary form, the capital letter, and the capital of that form: the sign of kelvin is its own. */
const formCount = 4

const blocks: (Uint32Array | undefined)[] = []

/** Whether the test holds for the character, as it is or as a small or a capital letter. */
export function holdsForSomeCase(
  character: number,
  holds: (character: number) => boolean,
): boolean {
  if (holds(character)) return true
  if (character >= casedEnd) return false
  const block = blockOf(character)
  const at = (character % blockLength) * formCount
  return (
    holds(block[at] ?? character) ||
    holds(block[at + 1] ?? character) ||
    holds(block[at + 2] ?? character) ||
    holds(block[at + 3] ?? character)
  )
}

const cased = /^\p{Changes_When_Casemapped}$/u

/** Whether the character is another one in another case, or another one in its own: "ß" is the small "ẞ". */
export function hasCases(character: number): boolean {
  return cased.test(String.fromCodePoint(character))
}

/** The small letter in its ordinary form that a letter is in another case or form; else the character itself. */
export function ordinaryForm(character: number): number {
  if (character >= casedEnd) return character
  return blockOf(character)[(character % blockLength) * formCount + 1] ?? character
}

function blockOf(character: number): Uint32Array {
  const index = Math.floor(character / blockLength)
  const known = blocks[index]
  if (known) return known
  const block = makeBlock(index)
  blocks[index] = block
  return block
}

function makeBlock(index: number): Uint32Array {
  const block = new Uint32Array(blockLength * formCount)
  for (let place = 0; place < blockLength; place++) {
    const character = index * blockLength + place
    const text = String.fromCodePoint(character)
    const small = singleOr(text.toLowerCase(), character)
    const form = ordinary.get(small) ?? small
    block.set([small, form, capitalOf(character), capitalOf(form)], place * formCount)
  }
  return block
}

function capitalOf(character: number): number {
  if (character === dotlessI) return character
  return singleOr(String.fromCodePoint(character).toUpperCase(), character)
}

/** The character that a text is; another where the text is longer, as "SS" is for "ß". */
function singleOr(text: string, other: number): number {
  const character = text.codePointAt(0) ?? other
  return text.length === String.fromCodePoint(character).length ? character : other
}

/** Letters that are written alike, and have no case in common. */
const alike = ['\u1fd3\u0390', '\u1fe3\u03b0', '\ufb05\ufb06'].map(
  (pair) => [pair.charCodeAt(0), pair.charCodeAt(1)] as const,
)

/** Other forms of small letters, such as the sigma at the end of a word, and the ordinary ones. */
const ordinary: ReadonlyMap<number, number> = new Map([
  ...Array.from(
    foldedForms.from,
    (form, index) => [form.charCodeAt(0), foldedForms.to.charCodeAt(index)] as const,
  ),
  ...alike,
])

/** The small "ı" of Turkish: its capital is that of "i", which is another letter. */
const dotlessI = 0x131

/**
 * Letters that are the capital of a small one whose capital is another: the signs of kelvin, ohm and the like, and Greek ones
 * with an iota, whose small ones have a capital of two letters.
 */
const otherCapitals =
  '\u01c5\u01c8\u01cb\u01f2\u03f4\u1e9e\u2126\u212a\u212b' + 'ᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ'

/** Each of these beside the ordinary small letter. */
export const otherForms: readonly (readonly [form: number, ordinary: number])[] = [
  ...ordinary,
  ...Array.from(
    otherCapitals,
    (letter) => [letter.charCodeAt(0), letter.toLowerCase().charCodeAt(0)] as const,
  ),
]
