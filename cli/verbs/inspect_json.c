#include "cli/verbs/inspect_json.h"

#include "base/hex.h"

void inspect_put_hex(struct json_writer *json, const char *key, const uint8_t *bytes, size_t len)
{
    char text[HEX_ROOM(32)];
    jw_text_c(json, key, hex_of(text, bytes, len));
}

void inspect_put_clauses(struct json_writer *json, const struct il_body *body)
{
    jw_begin(json, "clauses", '[');
    for (uint32_t i = 0; i < body->clause_count; i++) {
        const struct eh_clause *clause = &body->clauses[i];
        jw_begin_line(json, NULL, '{');
        jw_text_c(json, "kind",
                  clause->flags == EH_FILTER    ? "filter"
                  : clause->flags == EH_FINALLY ? "finally"
                  : clause->flags == EH_FAULT   ? "fault"
                                                : "catch");
        jw_number(json, "try_start", clause->try_offset);
        jw_number(json, "try_end", clause->try_offset + clause->try_length);
        jw_number(json, "handler_start", clause->handler_offset);
        jw_number(json, "handler_end", clause->handler_offset + clause->handler_length);
        if (clause->flags == EH_FILTER)
            jw_number(json, "filter_start", clause->filter_offset);
        jw_end(json, '}');
    }
    jw_end(json, ']');
}

void inspect_put_block(struct json_writer *json, const struct flow *flow, const struct plan *plan,
                       uint32_t n)
{
    static const char *const counts[] = {"never_runs", "counter", "edges_out", "edges_in",
                                         "values"};
    const struct block *block = &flow->blocks[n];
    jw_number(json, "number", n);
    jw_text_c(json, "count", counts[plan->rule[n]]);
    if (plan->rule[n] == RULE_COUNTER)
        jw_number(json, "counter", plan->block_counter[n]);
    if (plan->value_counter[n] != NO_INDEX)
        jw_number(json, "value_counter", plan->value_counter[n]);
    jw_begin(json, "edges", '[');
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        jw_begin_line(json, NULL, '{');
        jw_number(json, "to", flow->edges[e].to);
        jw_bool(json, "branches", flow->edges[e].taken);
        if (plan->edge_counter[e] != NO_INDEX)
            jw_number(json, "counter", plan->edge_counter[e]);
        jw_end(json, '}');
    }
    jw_end(json, ']');
}

void inspect_put_points(struct json_writer *json, const struct seq_points *points, uint32_t *next,
                        uint32_t offset)
{
    if (*next == points->count || points->points[*next].il_offset > offset)
        return;
    jw_begin(json, "points", '[');
    for (; *next < points->count && points->points[*next].il_offset <= offset; ++*next) {
        const struct seq_point *point = &points->points[*next];
        jw_begin(json, NULL, '{');
        jw_bool(json, "hidden", point->hidden);
        if (!point->hidden) {
            jw_number(json, "start_line", point->start_line);
            jw_number(json, "start_column", point->start_column);
            jw_number(json, "end_line", point->end_line);
            jw_number(json, "end_column", point->end_column);
        }
        jw_end(json, '}');
    }
    jw_end(json, ']');
}
