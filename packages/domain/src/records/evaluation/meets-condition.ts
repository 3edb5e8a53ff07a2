import type { Cell, People } from '../../fields/cell.ts'
import type { CellForm } from '../../fields/cell-form.ts'
import type { Condition, ItemTest } from '../../queries/condition.ts'
import { groupIdentityOf } from '../../queries/group-identity.ts'
import { itemsOf, scalarOf, textOf } from '../../queries/items-of.ts'
import { foldCase } from '../../values/text.ts'
import { shows } from '../showing/search-hits.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { sharesItems, standsTo } from './compare-cells.ts'

/** Whether the condition holds for a record. What storages find is compared with this. */
export function meetsCondition(
  condition: Condition,
  record: StoredRecord,
  people: Pick<People, 'name'>,
): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.every((one) => meetsCondition(one, record, people))
    case 'any':
      return condition.conditions.some((one) => meetsCondition(one, record, people))
    case 'not':
      return !meetsCondition(condition.condition, record, people)
    case 'empty':
      return cellOf(condition.field, record) === null
    case 'compared':
      return standsTo(condition, record)
    case 'shared':
      return sharesItems(condition, record)
    case 'ids':
      return condition.ids.includes(record.id)
    case 'linked':
      throw new Error('whether a record is linked is asked of the storage: see isFound')
    case 'shows':
      return condition.fields.some((field) => shows(field, record, condition.text, people))
    case 'group': {
      const { field, values } = condition
      return values.includes(groupIdentityOf(field.rules.form, cellOf(field, record)))
    }
    default: {
      const { form } = condition.field.rules
      const cell = cellOf(condition.field, record)
      if (cell === null) return false
      const items = itemsOf(form, cell).filter((item) => item !== null)
      if (condition.kind === 'some') return items.some((item) => passes(condition.test, form, item))
      const scalars = items.map((item) => scalarOf(form.item, item))
      const hasAll = condition.values.every((value) => scalars.includes(value))
      return (
        hasAll && (!condition.alone || scalars.every((value) => condition.values.includes(value)))
      )
    }
  }
}

function passes(test: ItemTest, { item: form }: CellForm, item: Cell): boolean {
  switch (test.kind) {
    case 'oneOf':
      return test.values.includes(scalarOf(form, item))
    case 'contains':
      return foldCase(textOf(form, item)).includes(test.text)
    case 'range': {
      const value = scalarOf(form, item) as string | number
      const { from, to } = test
      if (from && !(from.isOpen ? value > from.value : value >= from.value)) return false
      return !to || (to.isOpen ? value < to.value : value <= to.value)
    }
  }
}
