import { z } from 'zod'

/** Whether every storage can hold the text as it is: no U+0000 and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** The text without U+0000 and with U+FFFD for what is no character. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '')
}

/**
 * A text of at most so many characters. They are counted before anything else looks at the text: a pattern
 * over millions of characters overflows the stack, and even to trim them takes time. The errors are those of texts that are
 * longer, and of what is no text.
 */
export function textUpTo(
  characters: number,
  error = `must have at most ${characters} characters`,
  typeError?: string,
) {
  return z.string(typeError).max(characters, { error, abort: true })
}

/** A text of at most so many characters that is kept as sent. */
export function storableTextUpTo(characters: number, error?: string, typeError?: string) {
  return textUpTo(characters, error, typeError).refine(
    isStorable,
    'must be well-formed Unicode without the character U+0000',
  )
}
