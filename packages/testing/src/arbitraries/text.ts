import fc from 'fast-check'

/** Any text that every storage can hold. */
export function storableText(maxLength = 20): fc.Arbitrary<string> {
  return fc.string({ unit: 'binary', maxLength }).map((text) => text.replaceAll('\0', ''))
}

/** Characters that mean something to a reader of dates, numbers or lists, or that no storage can hold. */
const trickyUnits = [...' ,"-+/.:$%eTZ019aM\t\n\0', '\ud83d', '\ude00', 'İ', 'ß', '\u2028']

/** Text that a careless reader stumbles over. */
export function trickyText(maxLength = 24): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...trickyUnits), maxLength })
}
