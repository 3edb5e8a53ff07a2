import { TextFinder } from './find-text.ts'

/*
 * Texts are counted in characters (Unicode code points), as the storages count them, while JavaScript
 * counts UTF-16 units. Texts without characters beyond U+FFFF, nearly all, take the short way.
 */

const surrogate = /[\ud800-\udbff][\udc00-\udfff]/

/** How many characters a text has; one beyond the first 65,536 of Unicode counts once. */
export function countCharacters(text: string): number {
  if (!surrogate.test(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}

/** The characters from one index up to another; both count from 0 and may lie outside. */
export function sliceCharacters(text: string, start: number, end: number): string {
  const from = Math.max(start, 0)
  const to = Math.max(end, from)
  if (!surrogate.test(text)) return text.slice(from, to)
  const first = unitIndex(text, from, 0)
  return text.slice(first, unitIndex(text, to - from, first))
}

/** Where the n-th character after a place begins, in UTF-16 units. */
function unitIndex(text: string, characters: number, start: number): number {
  let index = start
  for (let left = characters; left > 0 && index < text.length; left--) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  }
  return index
}

/** The index of the first occurrence at or after an index, counting from 0; -1 when there is none. */
export function findCharacters(text: string, part: string, from: number): number {
  const finder = new TextFinder(part)
  if (!surrogate.test(text)) return finder.find(text, from)
  const found = finder.find(text, unitIndex(text, from, 0))
  return found < 0 ? -1 : countCharacters(text.slice(0, found))
}
