def page(contents):
    return "# Results\n"
