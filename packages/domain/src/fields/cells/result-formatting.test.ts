import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cellValueTypes } from '../../values/value-type.ts'
import { fitOptions, resultShape } from './result-formatting.ts'

const schema = z.strictObject(resultShape)
const decimal = { type: 'decimal', precision: 2 }
const day = { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' }
const bar = { type: 'bar', color: 'teal', showValue: true, maxValue: 100 }
const url = { type: 'url' }

function fit(sent: object, kind: (typeof cellValueTypes)[number]) {
  return fitOptions(schema.parse(sent), kind)
}

describe('how results are shown', () => {
  it('[FIELD-178] is said by a time zone, a formatting and a drawing', () => {
    expect(schema.parse({})).toEqual({})
    expect(schema.parse({ formatting: { type: 'percent' }, showAs: bar })).toEqual({
      formatting: { type: 'percent', precision: 2 },
      showAs: bar,
    })
    expect(schema.parse({ formatting: { time: 'HH:mm' } }).formatting).toEqual({
      ...day,
      time: 'HH:mm',
    })
    for (const wrong of [
      { timeZone: 'Mars' },
      { formatting: { type: 'decimal', date: 'YYYY' } },
      { formatting: { type: 'fraction' } },
      { showAs: { ...bar, type: 'url' } },
      { showAs: { type: 'bar' } },
      { formatting: null },
    ]) {
      expect(schema.safeParse(wrong).success).toBe(false)
    }
  })

  it('[FIELD-177] is the usual way of the kind where nothing is said', () => {
    const shown = cellValueTypes.map((kind) => fit({ timeZone: 'Asia/Tokyo' }, kind))
    expect(shown.map(({ options }) => options.formatting)).toEqual([
      undefined,
      decimal,
      undefined,
      { ...day, timeZone: 'Asia/Tokyo' },
    ])
    for (const { misfit, options } of shown) {
      expect(misfit).toBeUndefined()
      expect(options.timeZone).toBe('Asia/Tokyo')
    }
  })

  it('[FIELD-177] is kept as far as it fits', () => {
    const percent = { type: 'percent', precision: 0 }
    const numeric = { timeZone: 'UTC', formatting: percent, showAs: bar }
    expect(fit(numeric, 'number')).toEqual({ options: numeric, misfit: undefined })
    const dated = { timeZone: 'UTC', formatting: { ...day, time: 'HH:mm' } }
    expect(fit(dated, 'dateTime')).toEqual({ options: dated, misfit: undefined })
    const text = { timeZone: 'UTC', showAs: url }
    expect(fit(text, 'string')).toEqual({ options: text, misfit: undefined })
  })

  it('[FIELD-177] is replaced where it does not fit, which is told', () => {
    const plain = {}
    const misfit = (option: string) => ({ option, message: expect.any(String) })
    expect(fit({ formatting: day }, 'number')).toEqual({
      options: { ...plain, formatting: decimal },
      misfit: misfit('formatting'),
    })
    expect(fit({ formatting: decimal }, 'dateTime')).toEqual({
      options: { ...plain, formatting: day },
      misfit: misfit('formatting'),
    })
    for (const kind of ['string', 'boolean'] as const) {
      expect(fit({ formatting: decimal }, kind)).toEqual({
        options: plain,
        misfit: misfit('formatting'),
      })
    }
    expect(fit({ showAs: bar }, 'string')).toEqual({ options: plain, misfit: misfit('showAs') })
    expect(fit({ showAs: url }, 'number').misfit).toEqual(misfit('showAs'))
    expect(fit({ formatting: day, showAs: url }, 'boolean')).toEqual({
      options: plain,
      misfit: misfit('formatting'),
    })
  })
})
