import { storableText, trickyText } from '@gateleg/testing/arbitraries/text'
import { assertOrderIsTotal } from '@gateleg/testing/properties/assert-order-is-total'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStorable, storableTextUpTo, toStorable } from './storable-text.ts'
import { compareText } from './text.ts'

describe('text that every storage can hold', () => {
  it('[FIELD-59] excludes U+0000 and halves of surrogate pairs', () => {
    expect(isStorable('smile 😀')).toBe(true)
    for (const text of ['a\0b', '\ud83d', 'a\ude00']) {
      expect(isStorable(text)).toBe(false)
      expect(storableTextUpTo(10).safeParse(text).success).toBe(false)
    }
    expect(toStorable('a\0b\ud83d')).toBe('ab\ufffd')
  })

  it('[FIELD-59] is always what lenient reading makes, and never changed by it', () => {
    fc.assert(fc.property(trickyText(), (text) => isStorable(toStorable(text))))
    fc.assert(fc.property(storableText(), (text) => toStorable(text) === text))
  })
})

describe('the order of texts', () => {
  it('[FIELD-64] goes by code point after case folding', () => {
    const texts = ['b', 'a', 'Z', 'é', '\uffee', '😀', 'A']
    expect(texts.toSorted(compareText)).toEqual(['A', 'a', 'b', 'Z', 'é', '\uffee', '😀'])
  })

  it('[FIELD-64] is always total', () => {
    const texts = fc.tuple(trickyText(), trickyText(), trickyText())
    fc.assert(fc.property(texts, (values) => assertOrderIsTotal(compareText, values)))
  })
})
