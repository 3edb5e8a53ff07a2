import { readFileSync } from 'node:fs'
import { actionTypes } from '@gateleg/domain/workflows/nodes/action-types'
import { logicTypes } from '@gateleg/domain/workflows/nodes/logic-types'
import { triggerTypes } from '@gateleg/domain/workflows/nodes/trigger-types'
import { expect, test } from 'vitest'

test('docs/workflows.md has the values of members that take a few alone', () => {
  const sentences = readFileSync('docs/workflows.md', 'utf8').replaceAll(/\s+/g, ' ').split('. ')
  const branch = logicTypes.condition.config.shape.branches.element
  const comparison = branch.shape.conditions.unwrap().element
  for (const [begins, values] of [
    ['A `unit` is', triggerTypes.scheduledTime.config.shape.unit.options],
    ['A `format` is', actionTypes.sendEmail.config.shape.format.unwrap().options],
    ['The `method` of a request is', actionTypes.httpRequest.config.shape.method.options],
    ['An `operator` is', comparison.shape.operator.options],
  ] as const) {
    const told = sentences.find((one) => one.includes(begins))?.split(begins)[1] ?? ''
    expect([...told.matchAll(/`(\w+)`/g)].map(([, value]) => value)).toEqual(values)
  }
})
