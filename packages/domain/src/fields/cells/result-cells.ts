import type { DateFormatting } from '../../values/dates/date-formatting.ts'
import { formatNumber } from '../../values/number-format.ts'
import type { NumberFormatting } from '../../values/number-formatting.ts'
import { compareText } from '../../values/text.ts'
import type { ValueType } from '../../values/value-type.ts'
import { type Cell, type CellRules, Refusal } from '../cell.ts'
import { one, oneNumber } from '../cell-form.ts'
import { dateCells } from './date-cells.ts'
import { listCells } from './list-cells.ts'
import type { ResultOptions } from './result-formatting.ts'

/** The rules for the cells of formulas and rollups. Nothing is entered into them. */
export function resultCells(options: ResultOptions, values: ValueType): CellRules {
  const single = singleCells(options, values)
  return values.isMultiple ? (listCells(single) as unknown as CellRules) : single
}

const refusal = new Refusal("is computed, and can't be written: leave it out")

const computed = {
  parse: (value: unknown) => (value === null ? null : refusal),
  cast: () => null,
}

function singleCells({ formatting }: ResultOptions, { cellValueType }: ValueType): CellRules {
  switch (cellValueType) {
    case 'string':
      return rules<string>({
        ...computed,
        form: one('text'),
        format: (cell) => cell,
        compare: compareText,
      })
    case 'boolean':
      return rules<boolean>({
        ...computed,
        form: one('boolean'),
        format: String,
        compare: (a, b) => Number(a) - Number(b),
      })
    case 'number':
      return rules<number>({
        ...computed,
        form: oneNumber(formatting as NumberFormatting),
        format: (cell) => formatNumber(cell, formatting as NumberFormatting),
        compare: (a, b) => a - b,
      })
    case 'dateTime': {
      const { form, format, compare } = dateCells(formatting as DateFormatting)
      return rules<string>({ ...computed, form, format, compare })
    }
  }
}

/** Gives rules their type while they are written, and erases it. */
function rules<C extends Cell>(typed: CellRules<C>): CellRules {
  return typed as unknown as CellRules
}
