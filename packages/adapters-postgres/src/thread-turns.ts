import { turnsOfThread } from '@gateleg/sql/turns-of-thread'

/** The turns of this thread. */
export const threadTurns = turnsOfThread(globalThis)
