import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { button } from './button.ts'

const people = knownPeople({})
const accepts = (options: unknown): boolean => button.options.safeParse(options).success

describe('a button', () => {
  const rules = cellRules(button)

  it('[FIELD-114] holds how often it was pressed', () => {
    expect(rules.parse({ count: 2, by: 'Ada' })).toEqual({ count: 2 })
    expect(rules.parse({ count: -0 })).toEqual({ count: 0 })
    for (const value of [2, {}, { count: -1 }, { count: 1.5 }, { count: '1' }, []]) {
      expect(rules.parse(value)).toBeInstanceOf(Refusal)
      expect(rules.cast(value, { people })).toBeNull()
    }
    expect(rules.format({ count: 2 }, people)).toBe('')
    expect(rules.compare({ count: 2 }, { count: 10 }, people)).toBeLessThan(0)
  })

  it('[FIELD-115] has a label and a colour', () => {
    expect(button.options.parse({ label: ' Go ', color: 'red' })).toEqual({
      label: 'Go',
      color: 'red',
    })
    for (const wrong of [{ label: ' ' }, { label: 'x'.repeat(101) }, { color: 'brown' }]) {
      expect(accepts(wrong)).toBe(false)
    }
  })

  it('[FIELD-115] may have a highest count, a workflow and a question', () => {
    expect(
      accepts({
        maxCount: 1,
        resetCount: true,
        workflow: { id: 'wfl0000000000000001', name: 'Send', isActive: true },
        confirm: { title: 'Sure?', description: 'It will be sent.', confirmText: 'Send' },
      }),
    ).toBe(true)
    const sent = button.options.parse({
      ...{ label: 'Go', color: 'red', maxCount: 1 },
      workflow: { id: 'wfl0000000000000001', name: 'Send', isActive: true },
    })
    expect(button.complete?.(sent, new CountingIds())).toEqual({
      ...{ label: 'Go', color: 'red', maxCount: 1 },
      workflow: { id: 'wfl0000000000000001' },
    })
    for (const wrong of [
      { maxCount: 0 },
      { resetCount: 1 },
      { workflow: { name: 'Send' } },
      { confirm: { text: 'Sure?' } },
    ]) {
      expect(accepts(wrong)).toBe(false)
    }
  })
})
