import { z } from 'zod'

/** Whether every storage can hold the text as it is: no U+0000 and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** The text without U+0000 and with U+FFFD for what is no character. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '')
}

/** A text that is kept as sent. */
export const textSchema = z
  .string()
  .refine(isStorable, 'must be well-formed Unicode without the character U+0000')
