static void tell_who_can(FILE *out, const network *net)
{
    unsigned mover;
    fputs("can", out);
    for (mover = 0; mover < NETWORK_MOVERS; mover++) {
        if (network_can_move(net, mover)) {
            fprintf(out, "\t%u", mover);
        }
    }
    fputc('\n', out);
}

void trace_begin(FILE *out, const network *net)
{
    fprintf(out, "mazurka-trace\t1\t%s\n", model);
    trace_state(out, net);
    tell_who_can(out, net);
}

void trace_step(FILE *out, const network *net, unsigned mover)
{
    fprintf(out, "step\t%u\t%s\n", mover, trace_mover(mover));
    if (net->noticed != network_fine) {
        fprintf(out, "notices\t%s\n", failures[net->noticed]);
    }
    if (net->failure != network_fine) {
        fprintf(out, "fails\t%s\n", failures[net->failure]);
        return;
    }
    trace_state(out, net);
    tell_who_can(out, net);
}

const char *trace_failure(enum network_failure failure)
{
    return failures[failure];
}
