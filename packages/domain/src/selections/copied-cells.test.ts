import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openQueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'
import { readTabbedText } from './tabbed-text.ts'

/**
 * What is lost of a text: lines have no blanks at their ends, boxes that aren't checked show nothing, and by some clocks
 * the year 1 begins in the year 0, of which no date can be read.
 */
function asPasted(text: string): string {
  if (text === 'false' || /(^|\/)000[01]\b/.test(text)) return ''
  return text.trim()
}

describeOnEveryStorage('copied cells', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))

  test('[SELECTION-7] [SELECTION-9] are shown alike where they are pasted, whatever their types', async () => {
    const { api, tableId } = world
    const all = { tableId, type: 'columns' as const }
    const fields = await api.fields.listFields({ tableId })
    const last = fields.length - 1
    const { content, header } = await api.selections.copyCells({ ...all, ranges: [[0, last]] })
    const target = await world.makeTable('Target', [{ type: 'autoNumber', name: 'No' }], [])
    const pasted = await api.selections.pasteCells({
      tableId: target.id,
      ranges: [
        [1, 0],
        [1, 0],
      ],
      content,
      header,
    })
    expect(pasted.ranges[1]?.[0]).toBe(last + 1)
    const copied = await api.selections.copyCells({
      tableId: target.id,
      type: 'columns',
      ranges: [[1, last + 1]],
    })
    const before = [...readTabbedText(content, last + 1)].map((row) => row.map(asPasted))
    const after = [...readTabbedText(copied.content, last + 1)].map((row) => row.map(asPasted))
    expect(after).toEqual(before)
  })
})
