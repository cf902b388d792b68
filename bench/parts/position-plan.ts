/** What the database does to work out a position, as it says itself. */
import type { Database } from '../../server/db/database.ts';
import { median } from '../statistics.ts';

export type PositionPlan = {
  /** Medians over members all along the line. */
  readonly milliseconds: number;
  readonly planningMilliseconds: number;
  /** Pages of 8 kB looked at, in PostgreSQL's own memory or not. */
  readonly pages: number;
  /** Names of the kinds of work in the plan, such as "Index Only Scan using rank_node_pkey". */
  readonly steps: readonly string[];
  /** The plan of one of them in PostgreSQL's own words. */
  readonly text: string;
};

const ASKED = 41;

export async function readPositionPlan(database: Database, members: number): Promise<PositionPlan> {
  const runs: { ms: number; planningMs: number; pages: number }[] = [];
  let steps: string[] = [];
  let text = '';
  for (let index = 0; index < ASKED; index += 1) {
    const sequence = 1 + Math.floor(((members - 1) * index) / (ASKED - 1));
    const [plan] = await explain<{ 'QUERY PLAN': [ExplainedPlan] }>(database, sequence, 'format json');
    const [explained] = plan?.['QUERY PLAN'] ?? [];
    if (explained === undefined) throw new Error('PostgreSQL explained nothing.');
    const { Plan } = explained;
    runs.push({
      ms: explained['Execution Time'],
      planningMs: explained['Planning Time'],
      pages: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'],
    });
    steps = [...new Set(stepsOf(Plan))];
    if (index === Math.floor(ASKED / 2)) {
      const lines = await explain<{ 'QUERY PLAN': string }>(database, sequence, 'format text');
      text = lines.map((line) => line['QUERY PLAN']).join('\n');
    }
  }
  return {
    milliseconds: median(runs.map(({ ms }) => ms)),
    planningMilliseconds: median(runs.map(({ planningMs }) => planningMs)),
    pages: median(runs.map(({ pages }) => pages)),
    steps,
    text,
  };
}

async function explain<Row>(database: Database, sequence: number, format: string): Promise<Row[]> {
  const { rows } = await database.runSql(
    `explain (analyze, buffers, costs off, timing off, summary on, ${format})
     select place_of.place from member cross join lateral place_of(member.sort_key) where member.sequence = ${sequence}`,
  );
  return rows as Row[];
}

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
};

type ExplainedPlan = { readonly Plan: PlanNode; readonly 'Execution Time': number; readonly 'Planning Time': number };

function stepsOf(node: PlanNode): string[] {
  const on = node['Index Name'] ?? node['Relation Name'];
  const own = on === undefined ? [] : [`${node['Node Type']} on ${on}`];
  return [...own, ...(node.Plans ?? []).flatMap(stepsOf)];
}
