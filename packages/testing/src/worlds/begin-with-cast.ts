import { afterAll, beforeEach } from 'vitest'
import type { TestStorage } from '../test-engine.ts'
import { type Cast, newCast, newPlace, type Place } from './place.ts'
import { openWorld, type World } from './world.ts'

/** What tests of many operations begin with. */
interface CastWorld {
  readonly world: World
  readonly cast: Cast
  /** A place for calls that change nothing. */
  readonly unchanged: Place
}

/** A storage that holds many tables is slow: after so many tests, others begin on an empty one. */
const testsPerWorld = 12

/** Tells the block that is being declared of its world, and of each that follows it. They are closed by themselves. */
export function beginWithCast(storage: TestStorage, begin: (opened: CastWorld) => void): void {
  let tests = 0
  let world: World | undefined
  beforeEach(async () => {
    if (tests++ % testsPerWorld > 0) return
    await world?.close()
    world = await openWorld(storage)
    const cast = await newCast(world)
    begin({ world, cast, unchanged: await newPlace(cast) })
  })
  afterAll(() => world?.close())
}
