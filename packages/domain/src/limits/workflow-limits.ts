/** Maxima of workflows: a part of `limits`. */
export const workflowLimits = {
  /** Nodes of a workflow, those that logic brings along counted: more than a screen shows in any form. */
  nodesPerWorkflow: 100,
  /** Levels of conditions and repetitions within one another. */
  flowDepth: 10,
  branchesPerCondition: 10,
  /** Comparisons of one branch. */
  conditionsPerBranch: 20,
  /** Characters of a text of a node, in which outputs of others may be named. */
  templateLength: 10_000,
  /** Characters of a script, and of the text of a mail. */
  scriptLength: 50_000,
  /** Addresses in each line of a mail, headers of a request, inputs of a script: as many as people write down. */
  nodeListItems: 50,
  /** Items of one cell that a node writes. */
  templateItems: 100,
  /** Records that a node reads, and rounds of a repetition. */
  recordsPerNode: 1_000,
  /** Seconds that a node waits for a request that it sends. */
  requestNodeSeconds: 60,
  /** Members of the configuration of a node, as they are sent: no kind of node has as many. */
  nodeConfigMembers: 100,
  /** Fields of a table that a trigger watches. */
  watchedFields: 100,
  /** Characters of what a workflow runs, as JSON: it is read, checked and answered whole. */
  flowLength: 200_000,
  /**
   * Characters of the drafts and of what was published of all workflows of a base, as JSON: a list of workflows
   * reads them.
   */
  flowsLengthPerBase: 4_000_000,
  /** Between two runs by the clock, counted in the unit of the schedule. */
  scheduleInterval: 1_000,
} as const
