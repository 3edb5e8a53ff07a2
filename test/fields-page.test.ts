import { readFileSync } from 'node:fs'
import { datePresets } from '@gateleg/domain/values/dates/date-formatting'
import { timestampFromText } from '@gateleg/domain/values/dates/date-text'
import { timeZone } from '@gateleg/domain/values/dates/time-zone'
import { numberFromText } from '@gateleg/domain/values/number-text'
import { expect, test } from 'vitest'

/** Lines of the table of texts that are read as dates: texts, with `D/M/YYYY`, with any other preset. */
const line = /^\| (`.+?) +\| ([^|]+?) +\| ([^|]+?) +\|$/gm
const section = /### Texts that are read as dates\n([\s\S]*?)\n#/

/** The moment that a cell of the page says, such as `5 March 2026` or `**3 May 2026**`; undefined for `empty`. */
function toMoment(told: string): string | undefined {
  if (told.startsWith('empty')) return undefined
  return new Date(`${told.replaceAll('*', '')} UTC`).toISOString()
}

test('what the page about fields says of a text that is read as a date is so with every preset', () => {
  const [, table = ''] = section.exec(readFileSync('docs/fields.md', 'utf8')) ?? []
  // `now` is the time of the call, and no text that tells a date.
  const lines = [...table.matchAll(line)].filter(([, texts]) => texts !== '`now`')
  expect(lines.length).toBeGreaterThan(6)
  for (const [, texts = '', dayFirst = '', others = ''] of lines) {
    for (const [, text = ''] of texts.matchAll(/`([^`]+)`/g)) {
      for (const preset of datePresets) {
        const told = preset === 'D/M/YYYY' ? dayFirst : others
        const [, withYears] = /; with `YYYY`: (.*)/.exec(told) ?? []
        const moment = toMoment(preset === 'YYYY' ? (withYears ?? told) : told)
        expect([text, preset, timestampFromText(text, preset, timeZone('UTC'))]).toEqual([
          text,
          preset,
          moment,
        ])
      }
    }
  }
})

test('what the page about fields says of a text that is read as a number is so', () => {
  const page = readFileSync('docs/fields.md', 'utf8')
  const [, table = ''] = /### Texts that are read as numbers\n([\s\S]*?)\n#/.exec(page) ?? []
  const lines = [...table.matchAll(/^\| (`.+?) +\| ([^|]+?) +\|$/gm)]
  expect(lines.length).toBeGreaterThan(8)
  for (const [, texts = '', told = ''] of lines) {
    const number = told.startsWith('empty') ? undefined : Number(told.replaceAll('*', ''))
    for (const [, text = ''] of texts.matchAll(/`([^`]+)`/g)) {
      expect([text, numberFromText(text)]).toEqual([text, number])
    }
  }
  // Where the field has that symbol.
  expect(numberFromText('12 kr', 'kr')).toBe(12)
})
