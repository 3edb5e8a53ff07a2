import { testScenarios } from '@gateleg/testing/http/scenario'
import { knownInterface } from '@gateleg/testing/http/scenarios/known-interface'
import { testHttp } from '@gateleg/testing/http/test-http'
import { expect, test } from 'vitest'

test('the operations that the interface had from its beginning are there, and each has its scenarios', async () => {
  const { operations } = await testHttp()
  const names = Object.keys(knownInterface)
  expect(names).toHaveLength(21)
  for (const name of names) {
    const operation = operations.find((one) => one.name === name)
    const scenarios = knownInterface[name] ?? []
    // That a scenario of the name calls the operation shows in the status that its success has.
    const successes = scenarios.filter(({ status }) => status < 300)
    expect([name, new Set(successes.map(({ status }) => status))]).toEqual([
      name,
      new Set([operation?.status]),
    ])
  }
})

testScenarios('the interface', Object.values(knownInterface).flat())
