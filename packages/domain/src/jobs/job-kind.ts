import type { WriteTx } from '../store.ts'

/** What a job needs to know. */
export interface JobContext {
  readonly tx: WriteTx
  /** Milliseconds since 1970-01-01 UTC. */
  readonly nowMs: number
}

/** One kind of recurring work. */
export interface JobKind {
  readonly name: string
  /** Milliseconds between two runs. */
  readonly periodMs: number
  /** Does a bounded part of the work. Answers whether more is left, which is done at once then. */
  run(context: JobContext): Promise<'done' | 'more'>
}
