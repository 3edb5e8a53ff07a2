import type { FormulaScalar } from '../../formulas/formula-type.ts'
import { type Cell, type CellRules, Refusal } from '../cell.ts'
import { listOf } from '../cell-form.ts'
import { compareLists } from './compare-lists.ts'
import { joinNames } from './name-list.ts'

const refusal = new Refusal("is a computed list, which can't be written: leave it out")

/** What a list may hold: the lists that formulas make have empty items too. */
type Item = Cell | null

/** The rules for computed cells that hold a list of what the rules are for. Nothing is entered into them. */
export function listCells(item: CellRules): CellRules<readonly Item[]> {
  const { title, toJson, userIds, toFormula } = item
  const joined = (cell: readonly Item[], textOf: (one: Cell) => string) =>
    joinNames(cell.filter(isFilled).map(textOf))
  return {
    form: listOf(item.form),
    parse: (value) => (value === null ? null : refusal),
    cast: () => null,
    format: (cell, people) => joined(cell, (one) => item.format(one, people)),
    ...(title ? { title: (cell, people) => joined(cell, (one) => title(one, people)) } : {}),
    compare: (a, b, people) =>
      compareLists(a, b, (x, y) => {
        if (x === null || y === null) return Number(x !== null) - Number(y !== null)
        return item.compare(x, y, people)
      }),
    ...(toJson
      ? { toJson: (cell, people) => cell.map((one) => (one === null ? null : toJson(one, people))) }
      : {}),
    ...(userIds ? { userIds: (cell) => cell.filter(isFilled).flatMap((one) => userIds(one)) } : {}),
    toFormula: (cell, people) =>
      cell.map((one) => {
        const seen = one === null || !toFormula ? one : toFormula(one, people)
        return seen as FormulaScalar | null
      }),
  }
}

function isFilled(item: Item): item is Cell {
  return item !== null
}
