import type { Store } from '@gateleg/domain/store'
import { FixedClock } from '@gateleg/testing/doubles/fixed-clock'
import { expect, test } from 'vitest'
import { LatePorts } from './late-ports.ts'

test('[ENGINE-15] ports are put together once, however many ask for them at a time', async () => {
  const clock = new FixedClock()
  const replaced = { passwords: {} as never }
  const store = {} as Store
  const late = new LatePorts({ instanceKey: 'k'.repeat(32), store, clock, replaced })
  const [ports, others] = await Promise.all([late.load(), late.load()])
  expect(others).toBe(ports)
  expect(await late.load()).toBe(ports)
  expect([ports.clock, ports.passwords, ports.store]).toEqual([clock, {}, store])
  expect(ports.clock).toBe(clock)
})
