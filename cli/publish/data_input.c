#include "cli/publish/data_input.h"

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/say.h"
#include "cli/publish/source_root.h"
#include "coverage/external/external_reader.h"
#include "coverage/merge/merge.h"
#include "coverage/source/paths.h"
#include "system/file_status.h"
#include "system/temporary_file.h"

/* All of it, unless `part` says otherwise. */
static bool open_data_file(struct facts *facts, struct store_part *part, const char *path,
                           struct progress_line *line, struct arena *arena, struct err *err)
{
    bool ok = part != NULL
                  ? store_part_open(part, facts, path, arena, err)
                  : store_read_summed(facts, path, progress_line_hook(line), arena, arena, err);
    progress_line_erase(line);
    if (!ok)
        err_prefix(err, "%s", path);
    return ok;
}

/* A damaged file is an error: what a report does not name, nobody would miss. */
static bool merge_inputs(const char *path, const struct data_input *input,
                         struct progress_line *line, struct arena *arena, struct err *err)
{
    struct merge_result result;
    char root[PATH_ROOM];
    if (!paths_root(root, input->sources->root, err))
        return false;
    const struct merge_options options = {
        .strict = true, .root = str_of(root), .progress = progress_line_hook(line)};
    bool ok = merge_files(&result, path, input->paths, input->count, &options, arena, err);
    progress_line_erase(line);
    for (uint32_t i = 0; ok && i < result.warning_count; i++)
        say("%.*s", STR_ARGS(result.warnings[i]));
    return ok;
}

/* Merging needs a file, because it reads each of many twice and none whole. */
static bool read_merged(struct facts *facts, struct store_part *part,
                        const struct data_input *input, struct progress_line *line,
                        struct arena *arena, struct err *err)
{
    struct temporary_file merged;
    if (!temporary_file_create(&merged, str_of(temporary_folder())))
        return err_set_errno(err, "%s", temporary_folder());
    bool ok = merge_inputs(merged.path, input, line, arena, err) &&
              open_data_file(facts, part, merged.path, line, arena, err);
    temporary_file_remove(&merged);
    return ok;
}

/* Makes its sources be where a given root says. */
static bool place_sources(struct facts *facts, struct str *root, const struct data_input *input,
                          bool is_merged, struct arena *arena, struct err *err)
{
    struct str left_out;
    if (!source_root_given(root, input->sources->root, arena, err) ||
        !new_root_apply(facts, *root, is_merged, &left_out, arena, err))
        return false;
    if (input->needs_all && left_out.len != 0)
        return err_set(
            err, ERR_USAGE,
            "the root %.*s does not contain all sources, such as %.*s: name a folder that does",
            STR_ARGS(*root), STR_ARGS(left_out));
    return path_maps_apply(&input->sources->maps, facts, *root, arena, err);
}

int data_input_read(struct facts *facts, struct store_part *part, struct str *root,
                    const struct data_input *input, struct progress_line *line, struct arena *arena)
{
    struct err err = {0};
    for (uint32_t i = 0; i < input->count; i++)
        if (!file_exists(input->paths[i])) {
            say("there is no data file %s: 'ilcov run' writes one", input->paths[i]);
            return EXIT_BAD;
        }
    bool merges = input->count > 1 || external_is_file(input->paths[0]);
    bool ok = merges ? read_merged(facts, part, input, line, arena, &err)
                     : open_data_file(facts, part, input->paths[0], line, arena, &err);
    if (!ok || !place_sources(facts, root, input, merges, arena, &err)) {
        if (ok && part != NULL)
            store_part_close(part);
        return say_error(&err);
    }
    new_root_check(facts, *root);
    return EXIT_FINE;
}
