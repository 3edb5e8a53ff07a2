import type { Attack } from '../attack.ts'
import { fillTable, isRefused } from '../fill-table.ts'
import { waitForFields } from '../wait-for-fields.ts'

/** Requests that are on their way at one time. */
const atOnce = 8

export const variedFormulas: Attack = {
  name: 'varied-formulas',
  about: 'formulas and search patterns that are each another one, as long and as deep as is taken',
  run: async ({ newAttacker, isShort }) => {
    const { api, baseId } = await newAttacker('varier')
    const { id: tableId } = await api.tables.createTable({
      baseId,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'longText', name: 'Pattern' },
      ],
      records: [],
    })
    // Patterns that come from cells: each record's is another one, and slow where an engine goes back.
    const pattern = (index: number) =>
      `(${Array.from({ length: 60 }, (_, part) => `(a|b${index}_${part})*`).join('')})*c${index}`
    await fillTable(api, tableId, isShort ? 20 : 150, (index) => ({
      Name: 'ab'.repeat(1_000),
      Pattern: pattern(index),
    }))
    const options = { expression: 'REGEXP_REPLACE({Name}, {Pattern}, "x")' }
    await isRefused(api.fields.createField({ tableId, type: 'formula', options }))
    await waitForFields(api, tableId, 5)
    // Formulas that are compiled, and nothing is made of them.
    const count = isShort ? 20 : 2_000
    let made = 0
    const planOn = async () => {
      while (made < count) {
        const expression = formulaOf(made++)
        await isRefused(
          api.fields.planCreation({ tableId, type: 'formula', options: { expression } }),
        )
      }
    }
    await Promise.all(Array.from({ length: atOnce }, planOn))
  },
}

/** By turns a long one, a deep one, one of a long pattern and one of a pattern of many groups. */
function formulaOf(index: number): string {
  const variants = [
    `${index}${'+LEN({Name})'.repeat(650)}`,
    `${'ABS('.repeat(190)}${index}${')'.repeat(190)}`,
    `REGEXP_REPLACE({Name}, "${`[a-y${index}]{0,4}`.repeat(90)}", "")`,
    `REGEXP_REPLACE({Name}, "${'('.repeat(49)}${index}${')'.repeat(49)}", "")`,
  ]
  return variants[index % variants.length] ?? ''
}
