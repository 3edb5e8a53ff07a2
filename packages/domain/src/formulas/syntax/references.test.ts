import { anyExpression } from '@gateleg/testing/arbitraries/formula'
import { storableText } from '@gateleg/testing/arbitraries/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { FormulaError } from '../formula-error.ts'
import { printFormula } from './print-formula.ts'
import { referencedFieldIds, toFieldIds } from './references.ts'

const idsByName: Readonly<Record<string, string>> = {
  'Unit price': 'fldPrice',
  Quantity: 'fldQuantity',
  'a} {b\\': 'fldOdd',
}
const namesById = Object.fromEntries(Object.entries(idsByName).map(([name, id]) => [id, name]))

const idOf = (name: string) => idsByName[name] ?? (name in namesById ? name : undefined)
const nameOf = (id: string) => namesById[id]

describe('references', () => {
  it('[FORMULA-12] turns names into ids, and leaves all else as it is', () => {
    const written = '{Unit price}  *{Quantity} // {Quantity}\n & "{Unit price}" & {a\\} \\{b\\\\}'
    const stored = '{fldPrice}  *{fldQuantity} // {Quantity}\n & "{Unit price}" & {fldOdd}'
    expect(toFieldIds(written, idOf)).toBe(stored)
    expect(toFieldIds(stored, nameOf)).toBe(written)
    expect(toFieldIds(stored, idOf)).toBe(stored)
  })

  it('[FORMULA-12] always gives the stored formula back, whatever the names are', () => {
    const names = fc.uniqueArray(storableText(8), { minLength: 11, maxLength: 11 })
    fc.assert(
      fc.property(anyExpression, names, (expression, all) => {
        const stored = printFormula(expression)
        fc.pre(stored.length <= limits.formulaLength)
        const ids = referencedFieldIds(stored)
        const shown = toFieldIds(stored, (id) => all[ids.indexOf(id)] || 'x'.repeat(9))
        const back = toFieldIds(
          shown,
          (name) => ids[all.indexOf(name === 'x'.repeat(9) ? '' : name)],
        )
        expect(back).toBe(stored)
      }),
    )
  })

  it('[FORMULA-13] refuses a name that names no field', () => {
    const refused = () => toFieldIds('1 + {Nope}', idOf)
    expect(refused).toThrow(new FormulaError('There is no field "Nope" here', 4))
    for (const [name, meant] of [
      [' Unit price ', '{Unit price}'],
      ['\nQuantity', '{Quantity}'],
    ]) {
      const reason = `There is no field "${name}" here; did you mean ${meant}?`
      expect(() => toFieldIds(`1 + {${name}}`, idOf)).toThrow(new FormulaError(reason, 4))
    }
    const unknown = new FormulaError('There is no field " Nope " here', 0)
    expect(() => toFieldIds('{ Nope }', idOf)).toThrow(unknown)
  })

  it('[FORMULA-14] tells the fields of a formula, each once', () => {
    expect(referencedFieldIds('{b}+{a}&{b}&"{c}" // {d}')).toEqual(['b', 'a'])
  })

  it('[FORMULA-1] refuses a formula of names that is far too long', () => {
    const formula = ' '.repeat(limits.shownFormulaLength + 1)
    expect(() => referencedFieldIds(formula)).toThrow('at most 81920 characters')
  })
})
