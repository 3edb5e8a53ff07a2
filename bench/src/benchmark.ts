import type { Contenders } from './contenders.ts'

/** One line of the table at the end. */
export interface Measurement {
  readonly name: string
  /** Each with its unit. */
  readonly ours: string
  /** What ours is compared with, when there is something. */
  readonly other?: string
  readonly ratio?: number
  /** Undefined for a figure that is told for comparison alone. */
  readonly target?: string
  readonly isMet?: boolean
}

export interface Bench {
  readonly contenders: Contenders
  /** How often each side has its turn. */
  readonly rounds: number
  readonly storageName: string
  /** Tells whoever waits what is going on. */
  say(text: string): void
}

export interface Benchmark {
  /** By which it is selected. */
  readonly name: string
  /** Whether it takes minutes, and runs only where it is named. */
  readonly isLong?: boolean
  run(bench: Bench): Promise<readonly Measurement[]>
}
