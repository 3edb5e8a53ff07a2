import { afterAll, beforeAll } from 'vitest'
import type { World } from './world.ts'

/**
 * Opens a world before the tests of the block that is being declared, and closes it after them. What is answered gets
 * its members once the first of these tests begins.
 */
export function worldOfBlock<Opened extends World>(open: () => Promise<Opened>): Opened {
  const world = {} as Opened
  beforeAll(async () => {
    Object.assign(world, await open())
  })
  afterAll(() => world.close())
  return world
}
